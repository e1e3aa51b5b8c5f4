import { z } from "zod";
import { text } from "../../input.js";

export const resetShape = z.strictObject({ token: text, newPassword: text });
