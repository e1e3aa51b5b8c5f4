import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { journeyOn } from "./journey.js";
import { openWrittenStage, sharedStage } from "./stage.js";

const resources = resolve(import.meta.dirname, "../../../fixtures/apps/shop/resources");

const settings =
  "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n";

/** A journey on the shop with orders that take their items along when they are deleted: a form has them as rows. */
export const linesJourney = journeyOn(() =>
  sharedStage("shop-with-lines", () => openWrittenStage({ descriptors: descriptors(), settings })),
);

function descriptors(): ReadonlyMap<string, string> {
  const files = readdirSync(resources).filter((file) => file.endsWith(".yaml"));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(resources, file), "utf8");
      return [file, text.replace("inverse: items }", "inverse: items, onDelete: cascade }")];
    }),
  );
}
