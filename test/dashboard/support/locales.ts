const letters = [..."abcdefghijklmnopqrstuvwxyz"];

/** Every language that `Intl` knows on this machine, as its short code: it has no list of them. */
export function languages(): readonly string[] {
  const two = letters.flatMap((one) => letters.map((other) => one + other));
  const three = two.flatMap((one) => letters.map((other) => one + other));
  const known = Intl.NumberFormat.supportedLocalesOf([...two, ...three]);
  return [...new Set(known.map((one) => new Intl.Locale(one).baseName))];
}

/** Every locale of these languages that differs by its region. */
export function locales(): readonly string[] {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const regions = letters
    .flatMap((one) => letters.map((other) => (one + other).toUpperCase()))
    .filter((region) => names.of(region) !== undefined);
  const ofRegions = languages()
    .filter((language) => !language.includes("-"))
    .flatMap((language) => regions.map((region) => `${language}-${region}`))
    .filter((tag) => new Intl.NumberFormat(tag).resolvedOptions().locale === tag);
  return [...languages(), ...ofRegions];
}
