/** A media type in lower case without parameters; synonyms are replaced by a canonical name. */
export function bareType(written: string): string {
  const type = (written.split(";", 1)[0] ?? "").trim().toLowerCase();
  return names.get(type) ?? type;
}

/** Whether a media type without parameters is well-formed. */
export function isMediaType(type: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type);
}

/** Names of the same type; the first one is canonical. */
const synonyms: readonly (readonly string[])[] = [
  ["application/octet-stream", "binary/octet-stream"],
  ["application/pdf", "application/x-pdf"],
  ["application/rtf", "text/rtf", "application/x-rtf", "text/richtext"],
  ["application/eps", "application/x-eps", "image/eps", "image/x-eps"],
  ["application/zip", "application/x-zip", "application/x-zip-compressed"],
  ["application/gzip", "application/x-gzip", "application/x-tgz", "application/x-gtar"],
  ["application/x-7z-compressed", "application/x-7z"],
  ["application/x-bzip2", "application/bzip2", "application/x-bz2"],
  ["application/x-tar", "application/tar"],
  ["application/x-xz", "application/xz"],
  ["application/zstd", "application/x-zstd"],
  ["application/x-lz4", "application/lz4"],
  [
    "application/x-rar-compressed",
    "application/vnd.rar",
    "application/x-rar",
    "application/x-compressed",
  ],
  ["application/vnd.ms-cab-compressed", "application/x-cab"],
  ["application/x-deb", "application/x-debian-package", "application/vnd.debian.binary-package"],
  ["application/x-rpm", "application/x-redhat-package-manager"],
  ["application/java-archive", "application/x-java-archive", "application/x-jar"],
  ["application/java-vm", "application/x-java-vm", "application/java"],
  ["application/x-sqlite3", "application/vnd.sqlite3"],
  ["application/vnd.apache.parquet", "application/x-parquet"],
  ["application/x.ms.shortcut", "application/x-ms-shortcut"],
  ["application/x.autodesk.fbx", "application/vnd.autodesk.fbx"],
  [
    "application/x-msdownload",
    "application/x-msdos-program",
    "application/x-dosexec",
    "application/x-ms-dos-executable",
    "application/vnd.microsoft.portable-executable",
  ],
  ["application/x-msi", "application/x-ms-installer"],
  ["audio/aac", "audio/x-aac", "audio/aacp", "audio/vnd.dlna.adts"],
  ["audio/aiff", "audio/x-aiff"],
  ["audio/flac", "audio/x-flac"],
  ["audio/midi", "audio/x-midi", "audio/mid"],
  ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg", "audio/x-mpeg-3"],
  ["audio/ogg", "audio/opus", "audio/vorbis", "audio/speex"],
  ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"],
  ["audio/wavpack", "audio/x-wavpack"],
  ["audio/mp4", "audio/x-m4a", "audio/m4a", "audio/x-m4b"],
  ["audio/x-s3m", "audio/s3m"],
  ["audio/x-xm", "audio/xm"],
  ["audio/vnd.dolby.dd-raw", "audio/ac3"],
  ["font/collection", "application/x-font-ttc"],
  ["font/otf", "application/x-font-otf", "application/x-font-opentype", "font/opentype"],
  ["font/ttf", "application/x-font-ttf", "application/x-font-truetype", "application/font-sfnt"],
  ["font/woff", "application/font-woff", "application/x-font-woff"],
  ["font/woff2", "application/font-woff2", "application/x-font-woff2"],
  ["image/bmp", "image/x-bmp", "image/x-ms-bmp", "image/x-windows-bmp"],
  ["image/jpeg", "image/jpg", "image/pjpeg", "image/jfif"],
  ["image/mj2", "video/mj2"],
  ["image/png", "image/x-png"],
  ["image/svg+xml", "image/svg", "image/svg-xml"],
  ["image/tiff", "image/tif", "image/x-tiff", "image/x-tif"],
  ["image/vnd.adobe.photoshop", "image/psd", "application/x-photoshop", "image/x-photoshop"],
  ["image/vnd.dwg", "application/acad", "application/x-dwg", "image/x-dwg"],
  ["image/vnd.ms-photo", "image/jxr"],
  ["image/x-icon", "image/vnd.microsoft.icon", "image/ico"],
  ["model/stl", "application/sla", "application/vnd.ms-pki.stl", "model/x.stl-ascii"],
  ["video/matroska", "video/x-matroska"],
  ["video/vnd.avi", "video/x-msvideo", "video/avi", "video/msvideo"],
];

const names: ReadonlyMap<string, string> = new Map(
  synonyms.flatMap(([name = "", ...others]) => others.map((other) => [other, name] as const)),
);
