import { z } from "zod";
import { address } from "../account/input.js";

/** Whom a code or a link is asked for. */
export const requestShape = z.strictObject({ email: address });
