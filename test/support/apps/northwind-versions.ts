import type { Descriptors } from "./changed-app.js";

/** Changes of one release of Northwind. */
export interface Version {
  readonly what: string;
  /** Resource → its new name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Resource → field → its new line, or null to remove it; a missing field is added. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  /** New resources: name → fields. */
  readonly added?: Readonly<Record<string, readonly string[]>>;
  readonly consent?: readonly string[];
  /** A handwritten step at the end of the migration. */
  readonly byHand?: string;
  /** First error of `migrate`, and the correction. */
  readonly refusal?: { readonly says: string; readonly fix: string; readonly undoFix: string };
  /** New places of the facts. */
  readonly facts?: Partial<Facts>;
}

/** SQL of the data set's known facts; see its README. */
export interface Facts {
  readonly units: string;
  readonly revenue: string;
  readonly notShipped: string;
  readonly reporting: string;
  readonly discontinued: string;
  readonly dearest: string;
  readonly drinks: string;
}

export const firstFacts: Facts = {
  units: "select sum(quantity) from order_details",
  revenue:
    "select round(sum(unit_price * quantity * (1 - discount::numeric)), 2) from order_details",
  notShipped: "select count(*) from orders where shipped_on is null",
  reporting: "select count(reports_to_id) from employees",
  discontinued: "select count(*) from products where discontinued",
  dearest: "select name || ' ' || unit_price from products order by unit_price desc limit 1",
  drinks: `select count(*) from products join categories on categories.id = category_id
           where categories.name = 'Beverages'`,
};

export const factValues: Facts = {
  units: "51317",
  revenue: "1265793.04",
  notShipped: "21",
  reporting: "8",
  discontinued: "10",
  dearest: "Côte de Blaye 263.50",
  drinks: "12",
};

export const versions: readonly Version[] = [
  {
    what: "a product has a price, no unitPrice",
    fields: {
      products: {
        unitPrice: "price: { type: number, required: true, decimals: 2, min: 0, was: unitPrice }",
      },
    },
    facts: { dearest: "select name || ' ' || price from products order by price desc limit 1" },
  },
  {
    what: "a product has a status, which somebody fills from discontinued by hand",
    fields: {
      products: {
        status:
          "status: { type: enum, values: [planned, available, discontinued], required: true, default: available }",
      },
    },
    byHand: `-- @batches products
update products set status = 'discontinued' where id > $1 and id <= $2 and discontinued;`,
    facts: { discontinued: "select count(*) from products where status = 'discontinued'" },
  },
  {
    what: "discontinued goes",
    fields: { products: { discontinued: null } },
    consent: ["products.discontinued"],
  },
  {
    what: "customers have addresses for mail",
    fields: {
      customers: {
        email: "email: { type: string, format: email, unique: true }",
        newsletter: "newsletter: { type: boolean, required: true, default: false }",
      },
    },
  },
  {
    what: "every customer has a postal code, once the one without has got one",
    fields: {
      customers: { postalCode: "postalCode: { type: string, required: true, maxLength: 20 }" },
    },
    consent: ["customers.postalCode"],
    refusal: {
      says: '1 row of customers holds no "postal_code", which is required from now on',
      fix: "update customers set postal_code = 'none' where postal_code is null",
      undoFix: "update customers set postal_code = null where postal_code = 'none'",
    },
  },
  {
    what: "states are states, of regions that are one more",
    renamed: { "us-states": "states" },
    fields: {
      states: {
        stateRegion:
          "region: { type: enum, values: [north, east, south, west, midwest, overseas], required: true, was: stateRegion }",
      },
    },
  },
  {
    what: "categories are groups, and products link to these",
    renamed: { categories: "groups" },
    fields: {
      products: {
        categoryId:
          "groupId: { type: belongsTo, resource: groups, required: true, was: categoryId }",
      },
    },
    facts: {
      drinks: `select count(*) from products join groups on groups.id = group_id
               where groups.name = 'Beverages'`,
    },
  },
  {
    what: "numbers are more exact, and days become times",
    fields: {
      orders: {
        freight: "freight: { type: number, required: true, decimals: 4, min: 0 }",
        orderedOn: "orderedAt: { type: timestamp, required: true, was: orderedOn }",
      },
      "order-details": {
        discount:
          "discount: { type: number, decimals: 4, required: true, min: 0, max: 1, default: 0 }",
      },
      employees: { extension: "extension: { type: number, integer: true, min: 1, max: 9999 }" },
    },
    consent: ["order-details.discount", "employees.extension"],
  },
  {
    what: "customers write reviews, and employees have managers",
    added: {
      reviews: [
        "productId: { type: belongsTo, resource: products, required: true }",
        "customerId: { type: belongsTo, resource: customers, required: true }",
        "stars: { type: number, integer: true, required: true, min: 1, max: 5 }",
        "body: { type: text }",
        "published: { type: boolean, required: true, default: false }",
      ],
    },
    fields: {
      employees: {
        reportsToId: "managerId: { type: belongsTo, resource: employees, was: reportsToId }",
      },
    },
    facts: { reporting: "select count(manager_id) from employees" },
  },
  {
    what: "order details are order lines, and names are kept tidy",
    renamed: { "order-details": "order-lines" },
    fields: {
      customers: {
        companyName: "companyName: { type: string, required: true, unique: true, maxLength: 40 }",
      },
      products: {
        supplierId: "supplierId: { type: belongsTo, resource: suppliers, required: true }",
      },
    },
    consent: ["customers.companyName", "products.supplierId"],
    facts: {
      units: "select sum(quantity) from order_lines",
      revenue: "select round(sum(unit_price * quantity * (1 - discount)), 2) from order_lines",
    },
  },
  {
    what: "salutations are free, and a homepage is short enough to be searched",
    fields: {
      employees: {
        titleOfCourtesy: "salutation: { type: string, maxLength: 10, was: titleOfCourtesy }",
      },
      suppliers: { homepage: "homepage: { type: string, maxLength: 120 }" },
      orders: { shipName: "recipient: { type: string, maxLength: 60, was: shipName }" },
    },
    consent: ["suppliers.homepage"],
  },
  {
    what: "products that are available are on sale, and the others retired",
    fields: {
      products: {
        status:
          "status: { type: enum, values: [planned, on-sale, retired], required: true, default: on-sale, renamed: { available: on-sale, discontinued: retired } }",
      },
    },
    facts: { discontinued: "select count(*) from products where status = 'retired'" },
  },
];

/** The descriptors of the next version. */
export function nextVersion(
  descriptors: Descriptors,
  { renamed = {}, fields = {}, added = {} }: Version,
): Descriptors {
  const texts = new Map(descriptors);
  for (const [former, name] of Object.entries(renamed)) {
    const text = textOf(texts, former);
    texts.delete(fileOf(former));
    texts.set(fileOf(name), `was: ${former}\n${text}`);
  }
  for (const [name, lines] of Object.entries(added)) {
    texts.set(fileOf(name), ["fields:", ...lines.map((line) => `  ${line}`), ""].join("\n"));
  }
  for (const [name, lines] of Object.entries(fields)) {
    texts.set(fileOf(name), Object.entries(lines).reduce(withField, textOf(texts, name)));
  }
  return texts;
}

function withField(text: string, [field, line]: readonly [string, string | null]): string {
  const pattern = new RegExp(`^  ${field}: .*\n`, "m");
  const written = line === null ? "" : `  ${line}\n`;
  return pattern.test(text) ? text.replace(pattern, () => written) : `${text}${written}`;
}

function textOf(texts: Descriptors, resource: string): string {
  const text = texts.get(fileOf(resource));
  if (text === undefined) throw new Error(`There is no resource ${resource}`);
  return text;
}

function fileOf(resource: string): string {
  return `${resource}.yaml`;
}
