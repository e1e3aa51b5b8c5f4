/** Whether the server is about to stop, and wants no further requests from its load balancer. */
export interface Drain {
  isDraining(): boolean;
  begin(): void;
}

export function newDrain(): Drain {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    begin: () => {
      isDraining = true;
    },
  };
}
