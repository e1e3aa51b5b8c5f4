import { z } from "zod";
import { address, label } from "../../account/input.js";
import { text } from "../../input.js";
import { deviceName } from "../../session/input.js";

/** A role is nothing that one can ask for. */
export const registerShape = z.strictObject({
  name: label,
  email: address,
  password: text,
  deviceName,
});
