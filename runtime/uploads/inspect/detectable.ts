/** Whether files of a type that belongs to none of the families in `family.ts` can be detected by their bytes. */
export function isDetectable(type: string): boolean {
  return hasSignature(type) || /^(?:image|audio|video|font)\//.test(type);
}

export function hasSignature(type: string): boolean {
  return subtypes.has(type.replace(/^application\//, ""));
}

/**
 * The other types that `file-type` detects, without the prefix `application/`. Listed here so that the library is
 * loaded with the first upload instead of at startup.
 */
const list = `
  avro dicom java-vm model/gltf-binary mxf pdf rtf vnd.apache.arrow.file vnd.apache.parquet
  vnd.google.draco
  vnd.iccprofile vnd.ms-cab-compressed vnd.ms-fontobject vnd.ms-htmlhelp vnd.rn-realmedia
  vnd.sketchup.skp vnd.tcpdump.pcap wasm x-7z-compressed x-ace-compressed x-apple-diskimage
  x-arj x-asar x-blender x-bzip2 x-compress x-cpio x-deb x-elf x-esri-shape
  x-ft-windows-registry-hive x-google-chrome-extension x-indesign x-jmp-data x-lz4
  x-lzh-compressed x-lzip x-mach-binary x-mie x-mobipocket-ebook x-msdownload
  x-nintendo-nes-rom x-rar-compressed x-rpm x-shockwave-flash x-spss-sav x-sqlite3 x-tar
  x-unix-archive x-xpinstall x-xz x.apple.alias x.autodesk.fbx x.ms.shortcut xml zstd

  audio/aiff audio/amr audio/ape audio/flac audio/midi audio/mp4 audio/qcelp
  audio/vnd.dolby.dd-raw audio/wav audio/wavpack audio/x-dsf audio/x-it audio/x-musepack
  audio/x-s3m audio/x-voc audio/x-xm font/collection font/otf font/ttf font/woff font/woff2
  image/bmp image/bpg image/flif image/gif image/icns image/j2c image/jls image/jpeg image/jxl
  image/ktx image/mj2 image/vnd.adobe.photoshop image/vnd.dwg image/vnd.ms-photo image/webp
  image/x-canon-cr3 image/x-fujifilm-raf image/x-icon image/x-olympus-orf image/x-panasonic-rw2
  image/x-xcf video/vnd.avi video/x-flv
`;
const subtypes: ReadonlySet<string> = new Set(list.trim().split(/\s+/));
