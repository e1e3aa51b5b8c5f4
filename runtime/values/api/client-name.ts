/** The name of a resource among `app.resources`: `order-items` → `orderItems`. */
export function clientName(resource: string): string {
  return resource
    .split("-")
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}
