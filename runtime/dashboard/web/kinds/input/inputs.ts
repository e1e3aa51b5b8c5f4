import type { Field } from "../../api/client/types.js";
import type { InputName } from "../form-rules.js";
import { kindOf } from "../kinds.js";
import { ChoiceInput, SwitchInput } from "./choices.js";
import { DayInput, MomentInput } from "./date-time.js";
import { GalleryInput, ShownGallery } from "./files/gallery.js";
import { UploadInput } from "./files/upload.js";
import type { Input } from "./input.js";
import { JsonInput } from "./json/form.js";
import { Line } from "./lines.js";
import { ListInput } from "./list.js";
import { LongText } from "./markdown/editor.js";
import { NumberInput } from "./number.js";
import { RecordInput } from "./record.js";
import { RecordsInput, ShownRecords } from "./records.js";
import { ShownFile, ShownList, ShownMoment, ShownRecord, ShownSwitch, ShownText } from "./shown.js";

/** The controls of forms, by the names that kinds use. */
const inputs: Readonly<Record<InputName, Input>> = Object.freeze({
  line: { input: Line, shown: ShownText },
  lines: { input: LongText, shown: ShownText },
  code: { input: JsonInput, shown: ShownText },
  number: { input: NumberInput, shown: ShownText },
  switch: { input: SwitchInput, shown: ShownSwitch },
  choice: { input: ChoiceInput, shown: ShownText },
  day: { input: DayInput, shown: ShownText },
  moment: { input: MomentInput, shown: ShownMoment },
  record: { input: RecordInput, shown: ShownRecord },
  records: { input: RecordsInput, shown: ShownRecords },
  upload: { input: UploadInput, shown: ShownFile },
  list: { input: ListInput, shown: ShownList },
  gallery: { input: GalleryInput, shown: ShownGallery },
});

export function controlOf(field: Field): Input {
  return inputs[kindOf(field).form.input];
}
