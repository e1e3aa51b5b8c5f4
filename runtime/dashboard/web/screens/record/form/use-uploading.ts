import { useState } from "react";

/** Whether a field of a form is uploading; the fields report the start and end. */
export function useUploading() {
  const [names, setNames] = useState<readonly string[]>([]);
  return {
    isUploading: names.length > 0,
    onBusy: (name: string, { isBusy }: { readonly isBusy: boolean }) =>
      setNames((former) => {
        const others = former.filter((one) => one !== name);
        return isBusy ? [...others, name] : others;
      }),
  };
}
