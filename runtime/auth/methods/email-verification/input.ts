import { z } from "zod";
import { address } from "../../account/input.js";
import { text, typedCode } from "../../input.js";

export const codeShape = z.strictObject({ email: address, code: typedCode });

export const linkShape = z.strictObject({ token: text });
