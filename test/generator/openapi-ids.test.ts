import { expect, test } from "vitest";
import { emitOpenapi } from "../../generator/describe/document.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";

/** The document of an app with these descriptors. */
function documentOf(descriptors: Readonly<Record<string, string>>) {
  const files = Object.entries(descriptors).map(([name, text]) => ({
    path: `resources/${name}.yaml`,
    text,
  }));
  const { model, problems } = resolveModel(readDescriptors(files), null);
  expect(problems).toEqual([]);
  return model === null ? null : JSON.parse(emitOpenapi(model, "ids").text);
}

const name = "fields: { name: { type: string, required: true } }\n";
const uuid = { type: "string", format: "uuid" };
const whole = { type: "string", pattern: "^(?:0|-?[1-9][0-9]{0,18})$", examples: ["17"] };
const text = { type: "string", minLength: 1, examples: ["A-17"] };

const through = (resource: string) =>
  `{ type: links, resource: ${resource}, through: { table: of, record: film, target: ${resource} } }`;

test.each([
  ["integers", "id: { type: integer }", "WholeIdsCondition", whole],
  ["texts", "id: { type: string, given: true }", "TextIdsCondition", text],
  ["UUIDs", "", "IdsCondition", uuid],
])("a list of links to records whose ids are %s has such ids", (_, id, condition, schema) => {
  const { components, paths } = documentOf({
    actors: `${id}\n${name}`,
    films: `fields: { actorIds: ${through("actors")} }\n`,
  });
  const { FilmPart, FilmWhere, ...schemas } = components.schemas;
  expect(FilmPart.properties.actorIds).toEqual({ type: "array", items: schema });
  expect(FilmWhere.properties.actorIds).toEqual({ $ref: `#/components/schemas/${condition}` });
  const [one, { properties }] = schemas[condition].anyOf;
  expect(one).toEqual({ ...schema, type: ["string", "null"] });
  expect(Object.keys(properties)).toEqual(["ne", "in", "nin", "all"]);
  expect(properties.all.items).toEqual(schema);
  const filter = { name: "filter[actorIds]", in: "query", schema };
  // A parameter of several operations is a component.
  const parameters = [...paths["/films"].get.parameters, ...Object.values(components.parameters)];
  expect(parameters).toContainEqual(filter);
});

test("a restore has the id of its record, and may be refused with an id of any type in the trash", () => {
  const cascading = (resource: string) =>
    `trash: true\nfields: { of: { type: belongsTo, resource: ${resource}, required: true, onDelete: cascade } }\n`;
  const { paths } = documentOf({
    labels: `trash: true\nid: { type: integer }\n${name}`,
    albums: cascading("labels"),
    tracks: cascading("albums"),
    notes: cascading("tracks"),
  });
  const idsOf = (resource: string) => {
    const { parameters, responses } = paths[`/${resource}/{id}/_restore`].post;
    const refused = [409, 422].map(
      (status) => responses[status].content["application/json"].schema.properties.id,
    );
    return [parameters[0], ...refused];
  };
  const string = { type: "string" };
  const id = { $ref: "#/components/parameters/Id" };
  const own = { name: "id", in: "path", required: true, schema: whole };
  expect(idsOf("labels")).toEqual([own, string, string]);
  expect(idsOf("notes")).toEqual([id, string, string]);
});

test("operations on the history of a record have its id", () => {
  const { paths } = documentOf({
    labels: `changes: { history: 30 }\nid: { type: integer }\n${name}`,
  });
  const own = { name: "id", in: "path", required: true, schema: whole };
  const operations = [
    paths["/labels/{id}/_history"].get,
    paths["/labels/{id}/_history/{entry}"].get,
    paths["/labels/{id}/_revert"].post,
  ];
  for (const { parameters } of operations) expect(parameters[0]).toEqual(own);
});
