/** Icons on a grid of 16 by 16, one line thick; always with text beside them or in the button's name. */
const paths = {
  key: "M7.8 11a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0zm-.8-2 6-6M10.500 5.500l2 2",
  mail: "M1.800 3.500h12.400v9H1.800zM2 4l6 5 6-5",
  eye: "M1.500 8C3 5 5.300 3.500 8 3.500S13 5 14.500 8C13 11 10.700 12.500 8 12.500S3 11 1.500 8zM10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
  alert: "M14.2 8A6.2 6.2 0 1 1 1.800 8a6.2 6.2 0 0 1 12.400 0zM8 4.800v3.700M8 11h.01",
  check: "m3 8.500 3.200 3.200L13 4.500",
  close: "m4 4 8 8M12 4l-8 8",
  menu: "M2 4.500h12M2 8h12M2 11.500h12",
  search: "M11.500 7a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0zm-1 3.500 3 3",
  home: "M2.500 7 8 2.500 13.500 7v6.500h-4v-4h-3v4h-4z",
  shield: "M8 1.800 13.200 4v4c0 3-2.100 5.200-5.200 6.400C4.900 13.200 2.800 11 2.800 8V4z",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  left: "m10 4-4 4 4 4",
  right: "m6 4 4 4-4 4",
  plus: "M8 3v10M3 8h10",
  columns: "M2 3h12v10H2zM6.500 3v10M10 3v10",
  out: "M8 10V2.500M5 5l3-3 3 3M2.500 10v3.500h11V10",
  clock: "M14.2 8A6.2 6.2 0 1 1 1.800 8a6.2 6.2 0 0 1 12.400 0zM8 4.500V8l2.500 1.500",
  rising: "M8 13V3M4.500 6.500 8 3l3.500 3.500",
  falling: "M8 3v10M4.500 9.500 8 13l3.500-3.500",
  more: "M2.700 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M7.500 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M12.300 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  print: "M4.500 6V2h7v4M4.500 12H2V6.500h12V12h-2.500M4.500 10h7v4h-7z",
  save: "M8 2.500V10M5 7.500l3 3 3-3M2.500 11v2.500h11V11",
  screen: "M3 3h10v7H3zM1.500 12.500h13",
  phone: "M4.500 1.500h7v13h-7zM7.500 12.500h1",
  fold: "M2 3h12v10H2zM6 3v10M11.500 6.200 9.700 8l1.800 1.800",
  pin: "M5.500 2.500h5L10 7l2.500 2.500h-9L6 7zM8 9.500v4.500",
  table: "M2 3h12v10H2zM2 6.500h12M6.500 6.500V13",
  person:
    "M10.700 5.500a2.700 2.700 0 1 1-5.400 0 2.700 2.700 0 0 1 5.400 0zM2.500 13.500c.7-2.900 2.700-4.300 5.500-4.300s4.800 1.400 5.500 4.300",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
