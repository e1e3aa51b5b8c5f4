/** Whether the server is about to stop and the load balancer should send no more requests. */
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
