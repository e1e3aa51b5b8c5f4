import { z } from "zod";

/** A message between processes of the app. The app's own messages use the same channel and may have any shape. */
type Shape = z.ZodObject<{
  readonly service: z.ZodLiteral<string> | z.ZodEnum<Readonly<Record<string, string>>>;
}>;

/**
 * Returns a reader of messages of this shape, which returns null for others. Every listener of a process gets each
 * message, and comparing the name rejects it twenty times as fast as the schema.
 */
export function messageReader<Message extends Shape>(
  shape: Message,
): (message: unknown) => z.output<Message> | null {
  const { service } = shape.shape;
  const names = new Set<unknown>(service instanceof z.ZodEnum ? service.options : service.values);
  return (message) => {
    const isNamed =
      typeof message === "object" &&
      message !== null &&
      "service" in message &&
      names.has(message.service);
    return isNamed ? (shape.safeParse(message).data ?? null) : null;
  };
}
