/**
 * Milliseconds of a processor that this process spent on some work: as many on a machine that has much else to do, where
 * a clock would count how long others had the processor.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
