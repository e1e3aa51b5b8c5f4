import { z } from "zod";
import { addressShape } from "../../account/input.js";
import { codeText, text } from "../../input.js";
import { confirmationShape } from "../../session/confirm.js";

export const changeShape = confirmationShape.extend({ email: addressShape });

export const codeShape = z.strictObject({ code: codeText });

export const linkShape = z.strictObject({ token: text });
