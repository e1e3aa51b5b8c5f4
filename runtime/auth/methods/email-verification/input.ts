import { z } from "zod";
import { address } from "../../account/input.js";
import { linkToken, mailedCode } from "../../mailed/input.js";

export const sendShape = z.strictObject({ email: address });

export const codeShape = z.strictObject({ email: address, code: mailedCode });

export const linkShape = z.strictObject({ token: linkToken });
