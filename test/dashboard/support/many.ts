import { journeyOn } from "./journey.js";
import { manyApp } from "./many-app.js";
import { openWrittenStage, sharedStage } from "./stage.js";

/** A journey on an app of a hundred resources, which takes long to make. */
export const manyJourney = journeyOn(() => sharedStage("many", () => openWrittenStage(manyApp())));

/** For a busy machine, the making of the app included. */
export const long = { timeout: 300_000 };
