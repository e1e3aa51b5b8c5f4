export { newPolling } from "./polling.js";
