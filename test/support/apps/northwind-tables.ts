import type { Json } from "../http/client.js";

/** One line of a file, by column. */
export type Row = Readonly<Record<string, string>>;
/** Ids that the server gave, by resource and by the data set's own key. */
export type Ids = ReadonlyMap<string, ReadonlyMap<string, string>>;
/** Value of a field from a row. */
export type Cell = (row: Row, ids: Ids) => Json;

export interface Table {
  readonly resource: string;
  readonly file: string;
  /** The data set's own key; null if nothing refers to the table. */
  readonly key: string | null;
  readonly fields: Readonly<Record<string, Cell>>;
}

/** Fields that customers and suppliers share. */
const contact = {
  companyName: text("company_name"),
  contactName: text("contact_name"),
  contactTitle: text("contact_title"),
  address: text("address"),
  city: text("city"),
  region: text("region"),
  postalCode: text("postal_code"),
  country: text("country"),
  phone: text("phone"),
  fax: text("fax"),
};

/** Tables, each after those it refers to. */
export const tables: readonly Table[] = [
  {
    resource: "regions",
    file: "region",
    key: "region_id",
    fields: { number: number("region_id"), name: text("region_description") },
  },
  {
    resource: "territories",
    file: "territories",
    key: "territory_id",
    fields: {
      code: text("territory_id"),
      name: text("territory_description"),
      regionId: link("region_id", "regions"),
    },
  },
  {
    resource: "us-states",
    file: "us_states",
    key: null,
    fields: {
      number: number("state_id"),
      name: text("state_name"),
      abbreviation: text("state_abbr"),
      stateRegion: text("state_region"),
    },
  },
  {
    resource: "categories",
    file: "categories",
    key: "category_id",
    fields: {
      number: number("category_id"),
      name: text("category_name"),
      description: text("description"),
    },
  },
  {
    resource: "suppliers",
    file: "suppliers",
    key: "supplier_id",
    fields: { number: number("supplier_id"), ...contact, homepage: text("homepage") },
  },
  {
    resource: "shippers",
    file: "shippers",
    key: "shipper_id",
    fields: {
      number: number("shipper_id"),
      companyName: text("company_name"),
      phone: text("phone"),
    },
  },
  {
    resource: "products",
    file: "products",
    key: "product_id",
    fields: {
      number: number("product_id"),
      name: text("product_name"),
      supplierId: link("supplier_id", "suppliers"),
      categoryId: link("category_id", "categories"),
      quantityPerUnit: text("quantity_per_unit"),
      unitPrice: number("unit_price"),
      unitsInStock: number("units_in_stock"),
      unitsOnOrder: number("units_on_order"),
      reorderLevel: number("reorder_level"),
      discontinued: flag("discontinued"),
    },
  },
  {
    resource: "customers",
    file: "customers",
    key: "customer_id",
    fields: { code: text("customer_id"), ...contact },
  },
  {
    resource: "employees",
    file: "employees",
    key: "employee_id",
    fields: {
      number: number("employee_id"),
      lastName: text("last_name"),
      firstName: text("first_name"),
      title: text("title"),
      titleOfCourtesy: text("title_of_courtesy"),
      birthDate: text("birth_date"),
      hireDate: text("hire_date"),
      address: text("address"),
      city: text("city"),
      region: text("region"),
      postalCode: text("postal_code"),
      country: text("country"),
      homePhone: text("home_phone"),
      extension: text("extension"),
      notes: text("notes"),
      reportsToId: link("reports_to", "employees"),
    },
  },
  {
    resource: "employee-territories",
    file: "employee_territories",
    key: null,
    fields: {
      employeeId: link("employee_id", "employees"),
      territoryId: link("territory_id", "territories"),
    },
  },
  {
    resource: "orders",
    file: "orders",
    key: "order_id",
    fields: {
      number: number("order_id"),
      customerId: link("customer_id", "customers"),
      employeeId: link("employee_id", "employees"),
      orderedOn: text("order_date"),
      requiredOn: text("required_date"),
      shippedOn: text("shipped_date"),
      shipperId: link("ship_via", "shippers"),
      freight: number("freight"),
      shipName: text("ship_name"),
      shipAddress: text("ship_address"),
      shipCity: text("ship_city"),
      shipRegion: text("ship_region"),
      shipPostalCode: text("ship_postal_code"),
      shipCountry: text("ship_country"),
    },
  },
  {
    resource: "order-details",
    file: "order_details",
    key: null,
    fields: {
      orderId: link("order_id", "orders"),
      productId: link("product_id", "products"),
      unitPrice: number("unit_price"),
      quantity: number("quantity"),
      discount: number("discount"),
    },
  },
];

/** The server's id of a record, by the data set's own key. */
export function idOf(ids: Ids, resource: string, key: string): string {
  const id = ids.get(resource)?.get(key);
  if (id === undefined) throw new Error(`${resource} has no ${key}`);
  return id;
}

/** Text of a cell; null if it is empty. */
function cellOf(row: Row, column: string): string | null {
  const value = row[column];
  if (value === undefined) throw new Error(`There is no column ${column}`);
  return value === "" ? null : value;
}

function text(column: string): Cell {
  return (row) => cellOf(row, column);
}

function number(column: string): Cell {
  return (row) => {
    const value = cellOf(row, column);
    return value === null ? null : Number(value);
  };
}

function flag(column: string): Cell {
  return (row) => cellOf(row, column) === "true";
}

function link(column: string, resource: string): Cell {
  return (row, ids) => {
    const key = cellOf(row, column);
    return key === null ? null : idOf(ids, resource, key);
  };
}
