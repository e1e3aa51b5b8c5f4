import { z } from "zod";
import type { Config } from "../../../config/index.js";
import { addressShape } from "../../account/input.js";
import { codeText, shapeOf, text } from "../../input.js";
import { confirmationShape } from "../../session/confirm.js";
import { siteShape } from "../../site.js";

export const changeShape = shapeOf((config: Config) =>
  confirmationShape.extend({ email: addressShape, site: siteShape(config) }),
);

export const codeShape = z.strictObject({ code: codeText });

export const linkShape = z.strictObject({ token: text });
