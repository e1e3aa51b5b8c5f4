import { type Field, isFile, kindOf } from "../kind/kinds.js";
import { isNeededToCreate, isNeededToReplace } from "../model/needed.js";
import { commentText, propertyKey, stringLiteral } from "../text/typescript.js";
import { type Find, interfaceType, type Named, valueType } from "./named.js";
import { groupInclude, includeTypes, nameTypes, queryTypes, whereType } from "./query-types.js";

/** The types that every client has. */
export const fixedTypes: readonly string[] = [
  ..."Client ClientOptions CallOptions WriteOptions ChangeOptions RequestOptions UploadOptions UploadSource PageMeta CursorMeta Page".split(
    " ",
  ),
  ..."CursorPage FileDetails Person PersonWhere Related StatsOptions Counts Groups Equality Order Texts".split(
    " ",
  ),
  ..."TextCondition NumberCondition BooleanCondition TimeCondition IdCondition EnumCondition Ref BatchOptions".split(
    " ",
  ),
  ..."BatchRecord BatchError BatchBuilder BatchApi SignedIn TwoFactorChallenge AuthConfig Me Session ServiceToken Passkey PasskeyTransport LinkedIdentity".split(
    " ",
  ),
  ..."AuthApi Account AccountList AccountEvent SharedView ListedResource ServerStatus FieldDescriptor ResourceDescriptor ImageProfile ServiceApi Failure BadRequest".split(
    " ",
  ),
  ..."Unauthorized Forbidden Conflict Invalid TooMany OtherFailure ApiError NetworkError Flat Named Picked".split(
    " ",
  ),
  ..."Included Only OnlyInside OnlyLast OptionsIn RelatedBy Within None Tagged Linked Call Answer ResourceNames Method Options Xhr XMLHttpRequest Sliceable PartSource ReadableStream".split(
    " ",
  ),
  ..."PublicKeyCredentialCreationOptionsJSON PublicKeyCredentialRequestOptionsJSON RegistrationResponseJSON AuthenticationResponseJSON".split(
    " ",
  ),
  // Type parameters of the types of a resource, which would hide its record.
  ..."FieldName IncludeOptions Mark By Inside".split(" "),
  // The names of the language that the code itself uses.
  ..."Promise Record Array Blob ArrayBuffer Uint8Array Uint32Array File Error TypeError Number Object String JSON Math Pick Omit".split(
    " ",
  ),
  ..."Exclude Extract AbortSignal AbortController ReturnType WeakMap AsyncGenerator AsyncIterable Date".split(
    " ",
  ),
];

/** The types of one resource, each as a separate text. */
export function resourceTypes(named: Named, find: Find): readonly string[] {
  return [
    recordType(named),
    ...briefType(named),
    ...writeTypes(named),
    whereType(named, find),
    ...nameTypes(named, find),
    ...includeTypes(named, find),
    ...queryTypes(named, find),
    batchType(named),
    apiType(named),
  ];
}

function typeOf(field: Field): string {
  const own = valueType(field);
  return field.required ? own : `${own} | null`;
}

function recordType({ resource, names }: Named): string {
  const { fields, singular } = resource;
  const text = interfaceType(names.Record, recordMembers(fields));
  return `/** ${commentText(singular)} */\n${text}`;
}

function recordMembers(fields: readonly Field[]): readonly string[] {
  return [
    "id: string;",
    ...fields.flatMap(fieldMembers),
    "createdAt: string;",
    "updatedAt: string;",
  ];
}

function fieldMembers(field: Field): readonly string[] {
  const { name, description, access } = field;
  // Some callers do not get the key.
  const mark = access.read === "signed-in" ? "" : "?";
  return [
    ...(description === null ? [] : [`/** ${commentText(description)} */`]),
    `${propertyKey(name)}${mark}: ${typeOf(field)};`,
    ...fileMembers(field, mark),
  ];
}

function fileMembers(field: Field, mark: string): readonly string[] {
  if (!isFile(field)) return [];
  const member = `${field.name}File${mark}: FileDetails | null;`;
  const isPrivate = kindOf(field).describe(field).private === true;
  return isPrivate ? ["/** Private: its addresses are good for a while. */", member] : [member];
}

/** An included record has long texts only where they are requested. */
function briefType({ resource, names }: Named): readonly string[] {
  const brief = resource.fields.filter((field) => !kindOf(field).isLong);
  if (brief.length === resource.fields.length) return [];
  return [interfaceType(names.Brief, recordMembers(brief))];
}

function writeTypes({ resource, names }: Named): readonly string[] {
  const { fields } = resource;
  const line = (isNeeded: (field: Field) => boolean) => (field: Field) =>
    `${propertyKey(field.name)}${isNeeded(field) ? "" : "?"}: ${typeOf(field)};`;
  const change = (field: Field) => {
    const added = kindOf(field).isAddable ? " | { add: number }" : "";
    return `${propertyKey(field.name)}?: ${typeOf(field)}${added};`;
  };
  return [
    interfaceType(names.Create, fields.map(line((field) => isNeededToCreate(resource, field)))),
    interfaceType(names.Replace, fields.map(line((field) => isNeededToReplace(resource, field)))),
    interfaceType(names.Update, fields.map(change)),
  ];
}

function batchType({ resource, names }: Named): string {
  // No operation of a batch creates an account.
  const links = resource.links
    .filter((link) => link.resource !== "users")
    .map((link) => `${propertyKey(link.field)}: ${stringLiteral(link.resource)}`);
  const values = (name: string) =>
    links.length === 0 ? name : `Linked<${name}, { ${links.join("; ")} }>`;
  const reference = `Ref<${stringLiteral(resource.name)}>`;
  const change = `options?: Pick<ChangeOptions, "ifMatch">`;
  return interfaceType(names.Batch, [
    `create(values: ${values(names.Create)}): ${reference};`,
    `update(id: string, changes: ${values(names.Update)}, ${change}): void;`,
    `upsert(by: string, values: ${values(names.Create)}): ${reference};`,
    `delete(id: string, ${change}): void;`,
  ]);
}

function apiType(named: Named): string {
  const { resource, names } = named;
  const { Record, Include, List, Get, Shown } = names;
  const infer = `<const FieldName extends ${names.Field} = never, const IncludeOptions extends ${Include} = never>`;
  const row = `${Shown}<FieldName, IncludeOptions>`;
  const whole = `${Record} & Mark`;
  const only = `& { include?: Only<IncludeOptions, ${Include}> }`;
  const list = `query?: ${List}<FieldName, IncludeOptions> ${only}, options?: CallOptions`;
  const byCursor = `query: ${List}<FieldName, IncludeOptions> & { cursor: string } ${only}, options?: CallOptions`;
  const one = `query?: ${Get}<FieldName, IncludeOptions> ${only}, options?: CallOptions`;
  const every = `query?: Omit<${List}<FieldName, IncludeOptions>, "page" | "cursor"> ${only}, options?: CallOptions`;
  const uploads = resource.fields
    .filter(isFile)
    .map(
      ({ name }) =>
        `${propertyKey(name)}(file: UploadSource, options?: UploadOptions): Promise<FileDetails>;`,
    );
  return interfaceType(`${names.Api}<Mark = unknown>`, [
    `list${infer}(${byCursor}): Promise<CursorPage<${row} & Mark>>;`,
    `list${infer}(${list}): Promise<Page<${row} & Mark>>;`,
    `/** Same as \`list\`, for queries that are too long for a URL. */`,
    `query${infer}(${byCursor}): Promise<CursorPage<${row} & Mark>>;`,
    `query${infer}(${list}): Promise<Page<${row} & Mark>>;`,
    `get(id: string, query?: undefined, options?: CallOptions): Promise<${whole}>;`,
    `get${infer}(id: string, ${one}): Promise<${row}>;`,
    `create(values: ${names.Create}, options?: WriteOptions): Promise<${whole}>;`,
    `/** Changes the fields that are given. */`,
    `update(id: string, changes: ${names.Update}, options?: ChangeOptions): Promise<${whole}>;`,
    `/** Clears the optional fields that are left out. */`,
    `replace(id: string, values: ${names.Replace}, options?: ChangeOptions): Promise<${whole}>;`,
    `delete(id: string, options?: ChangeOptions): Promise<void>;`,
    `stats(query?: ${names.Stats}, options?: CallOptions): Promise<Counts>;`,
    aggregateMethod(named),
    `/** Every record, page after page. */`,
    `all${infer}(${every}): AsyncGenerator<${row} & Mark, void>;`,
    ...(uploads.length === 0 ? [] : [`readonly upload: { ${uploads.join(" ")} };`]),
  ]);
}

function aggregateMethod({ resource, names }: Named): string {
  const include = groupInclude({ resource, names });
  const by = `const By extends ${names.Group} = never`;
  if (include === "") {
    return `aggregate<${by}>(query?: ${names.Aggregate}<By>, options?: CallOptions): Promise<Groups<By>>;`;
  }
  const records = `[IncludeOptions] extends [never] ? unknown : Pick<${names.Links}<IncludeOptions>, keyof IncludeOptions & keyof ${names.Links}<IncludeOptions>>`;
  return [
    `aggregate<${by}, const IncludeOptions extends ${names.Include} = never>`,
    `(query?: ${names.Aggregate}<By, IncludeOptions> & { include?: Only<IncludeOptions, ${include}> }, options?: CallOptions)`,
    `: Promise<Groups<By, ${records}>>;`,
  ].join("");
}
