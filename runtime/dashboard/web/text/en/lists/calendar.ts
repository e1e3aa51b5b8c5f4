/** The sentences of calendars; separate, so that lists do not load them. */
export const enCalendar = Object.freeze({
  date: "By",
  today: "Today",
  previous: "Previous month",
  next: "Next month",
  lastMonth: "There are no other months.",
  caption: (things: string, field: string) => `${things} by ${field}`,
  keys: "Arrow keys move between days, Page Up and Page Down between months. Enter goes to the records of a day.",
  moveKeys: "Alt with an arrow key moves a record to another day.",
  moved: (title: string, day: string) => `${title} is now on ${day}`,
  notMoved: (title: string, why: string) => `${title} was not moved. ${why}`,
  changedElsewhere: "It has been changed elsewhere.",
  more: (many: string) => `${many} more`,
  atLeast: (many: string) => `${many} or more`,
  moreOn: (words: string, day: string) => `${words} on ${day}`,
  rest: "All of the day",
  first: (many: string, day: string) =>
    `Only the first ${many} records are shown, up to ${day}. A filter narrows the calendar.`,
  nothing: (things: string, month: string) => `No ${things} in ${month}.`,
});
