import { z } from "zod";
import { address } from "../../account/input.js";
import { typedCode } from "../../input.js";
import { deviceName } from "../../session/input.js";

export const verifyShape = z.strictObject({ email: address, code: typedCode, deviceName });
