import { isDetectable } from "./detectable.js";

/** Types whose files begin with similar bytes: one of them is detected, and the client may declare another. */
interface Family {
  readonly has: RegExp;
  /** The common container format, compatible with all types of the family, which are not compatible with each other. */
  readonly container?: string;
}

const families: readonly Family[] = [
  {
    container: "text/plain",
    has: anyOf(
      "text/.+",
      ".+(\\+json|\\+yaml)",
      "application/(json5?|hjson|x-ndjson|jsonl|yaml|x-yaml|toml|sql|x-sql|x-sh|x-csh|x-shellscript)",
      "application/(n-quads|n-triples|trig|graphql|x-httpd-php|x-perl|x-python|x-tcl|x-tex|x-latex)",
      "application/(x-subrip|x-ms-regedit|pgp-(encrypted|keys|signature)|vnd\\.apple\\.mpegurl)",
      "application/vnd\\.ms-excel", // what Windows calls a .csv
      "application/(postscript|eps)",
      "audio/(x-)?(mpegurl|scpls)",
      "image/(vnd\\.dxf|x-dxf|x-xbitmap|x-xpixmap|x-portable-.+)",
      "model/(stl|obj|mtl|step|iges|vrml)",
    ),
  },
  {
    container: "application/zip",
    has: anyOf(
      "application/(zip|java-archive|appx|appxbundle|msix|msixbundle|oxps|x-cbr|widget)",
      "application/vnd\\.(openxmlformats-officedocument|oasis\\.opendocument|sun\\.xml|geogebra)\\..+",
      "application/vnd\\.(android\\.package-archive|visio|google-earth\\.kmz|recordare\\.musicxml)",
      "application/(vnd\\.apple\\.|x-iwork-)(keynote|numbers|pages|pkpass).*",
      "application/vnd\\.ms-(excel|powerpoint|word)\\..+\\.macroenabled(\\.12)?",
      "application/vnd\\.ms-(xpsdocument|officetheme)",
      "model/3mf",
      ".+\\+zip",
    ),
  },
  {
    // The format of older Office versions, still used for password-protected files.
    container: "application/x-cfb",
    has: anyOf(
      "application/(x-cfb|x-ole-storage|msword|x-msi|x-mspublisher|x-hwp|onenote)",
      "application/vnd\\.(ms-(excel|powerpoint|project|works|outlook)|visio)",
      "application/vnd\\.openxmlformats-officedocument\\..+",
    ),
  },
  { container: "application/gzip", has: anyOf("application/(gzip|x-gnumeric)") },
  {
    has: anyOf(
      "(application|audio|video)/mp4",
      "(audio|video)/3gpp2?",
      "video/(quicktime|x-m4v|x-f4v)",
    ),
  },
  { has: anyOf("(application|audio|video)/ogg") },
  { has: anyOf("(audio|video)/(x-)?(webm|matroska)") },
  {
    has: anyOf("(audio|video)/x-ms-(asf|wma|wmv|wm)", "application/vnd\\.ms-asf"),
  },
  {
    has: anyOf("video/(mpeg|x-mpeg|mp1s|mp2p|mp2t|x-ms-vob|dvd)", "model/vnd\\.mts"),
  },
  // Pictures in a tag before the audio may be longer than the opening.
  { has: anyOf("audio/(mpeg|aac)") },
  { has: anyOf("image/(heic|heif)(-sequence)?", "image/avif") },
  { has: anyOf("image/a?png", "image/vnd\\.mozilla\\.apng") },
  {
    has: anyOf("image/(tiff|x-adobe-dng|x-canon-cr2|x-nikon-nef|x-sony-arw|x-pentax-pef)"),
  },
  { has: anyOf("image/(jp2|jpx|jpm|mj2)", "video/jpm") },
  { has: anyOf("application/(postscript|eps|x-font-type1)") },
];

/** Whether a file of the detected type may be of the claimed type; both without parameters. */
export function isCompatible(detected: string, claimed: string): boolean {
  if (detected === claimed) return true;
  const claimedFamilies = families.filter(({ has }) => has.test(claimed));
  if (claimedFamilies.length === 0) return isContainer(detected) && !isDetectable(claimed);
  return claimedFamilies.some(
    ({ has, container }) =>
      has.test(detected) &&
      (container === undefined || container === detected || container === claimed),
  );
}

/** Whether a type belongs to a family that is detected by signature, which is any except text. */
export function isOfBinaryFamily(type: string): boolean {
  return families.some(({ container, has }) => container !== "text/plain" && has.test(type));
}

/** Whether a type is a container, on which many unlisted formats are built. */
function isContainer(type: string): boolean {
  return families.some(({ container }) => container === type);
}

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join("|")})$`);
}
