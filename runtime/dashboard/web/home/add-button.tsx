import { Button } from "../parts/button/button.js";
import { enBlocks } from "../text/en/home/blocks.js";
import type { Block } from "./blocks.js";
import { useAddToHome } from "./use-home.js";

/** A button that adds the content next to it to the home page. */
export function AddToHome({ block, name }: { readonly block: Block; readonly name: string }) {
  const add = useAddToHome();
  if (add === null) return null;
  return (
    <Button
      look="quiet"
      size="small"
      icon="home"
      label={enBlocks.addNamed(name)}
      onPress={() => add(block, name)}
    >
      {enBlocks.add}
    </Button>
  );
}
