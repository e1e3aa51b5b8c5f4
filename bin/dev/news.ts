import { z } from "zod";

/** What the server's process tells of its port; `runtime/app` publishes it, the tether passes it on. */
export const portNews = z.enum(["listening", "taken"]);

export type PortNews = z.infer<typeof portNews>;
