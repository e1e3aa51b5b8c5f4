/** One file of `resources/`. */
export interface DescriptorText {
  /** `resources/sales-orders.yaml` */
  readonly path: string;
  readonly text: string;
}

/**
 * Descriptors as a big app would have them, the same each time: twelve fields each, of every kind,
 * with enums, unique fields, defaults, access rules, and links to other resources and to accounts.
 */
export function manyDescriptors(count: number): readonly DescriptorText[] {
  const names = resourceNames(count);
  return names.map((name, at) => ({
    path: `resources/${name}.yaml`,
    text: descriptor(names, at),
  }));
}

const things = words(`
  orders invoices payments products categories customers suppliers contracts shipments returns
  offers tickets projects tasks teams members meetings documents notes comments reviews stores
  shelves vehicles routes drivers machines sensors readings alerts plans budgets accounts-books
  campaigns coupons courses lessons students grades rooms
`);
const areas = words(`
  sales purchase field office web mobile north south east west central partner retail wholesale
  internal external public legacy annual weekly daily regional global local pilot
`);

/** At most `things` × `areas`, a thousand of them. */
function resourceNames(count: number): readonly string[] {
  const all = areas.flatMap((area) => things.map((thing) => `${area}-${thing}`));
  if (count > all.length) throw new Error(`There are names for ${all.length} resources only`);
  return all.slice(0, count);
}

function descriptor(names: readonly string[], at: number): string {
  // Required links go to resources before this one, so that they never lead in a circle.
  const parent = at === 0 ? "users" : names[Math.floor(at / 3)];
  const sibling = names[(at * 7 + 3) % names.length];
  const isOdd = at % 2 === 1;
  const fields = [
    `name: { type: string, required: true, unique: ${at % 3 === 0}, maxLength: 120 }`,
    `code: { type: string, unique: true, pattern: "[A-Z]{2}-[0-9]{${(at % 6) + 2}}" }`,
    `description: { type: text, description: What people read about it, maxLength: 4000 }`,
    `status: { type: enum, values: [${statuses(at).join(", ")}], default: draft, required: true }`,
    `price: { type: number, required: true, min: 0, decimals: 2, label: Price per unit }`,
    `quantity: { type: number, integer: true, default: ${at % 10} }`,
    `active: { type: boolean, required: true, default: ${isOdd} }`,
    `dueOn: { type: date }`,
    `closedAt: { type: timestamp }`,
    `parentId: { type: belongsTo, resource: ${parent}, required: true }`,
    isOdd
      ? `siblingId: { type: belongsTo, resource: ${sibling} }`
      : `responsibleId: { type: belongsTo, resource: users }`,
    isOdd
      ? `picture: { type: image, profile: product }`
      : `manual: { type: file, accept: [application/pdf] }`,
  ];
  const access = isOdd ? ["access: { read: signed-in, write: [admin, editor] }"] : [];
  return [...access, "fields:", ...fields.map((field) => `  ${field}`), ""].join("\n");
}

function statuses(at: number): readonly string[] {
  return ["draft", ...words("open held sent paid closed gone").slice(0, (at % 5) + 2)];
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
