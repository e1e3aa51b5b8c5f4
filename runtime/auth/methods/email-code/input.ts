import { z } from "zod";
import { address } from "../../account/input.js";
import { mailedCode } from "../../mailed/input.js";
import { deviceName } from "../../session/input.js";

export const sendShape = z.strictObject({ email: address });

export const verifyShape = z.strictObject({ email: address, code: mailedCode, deviceName });
