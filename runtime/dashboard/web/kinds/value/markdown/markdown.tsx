import { Component, lazy, type ReactNode, Suspense } from "react";
import "./markdown.css";

/** Loaded separately: only resources with a field of this format need it. */
const Blocks = lazy(async () => {
  const { Blocks } = await import("./blocks.js");
  return { default: Blocks };
});

/** Shows a text as Markdown; until the parser has loaded, or if it fails, the text is shown as typed. */
export function Markdown({ text }: { readonly text: string }) {
  const plain = <bdi className="prose">{text}</bdi>;
  return (
    <Plain key={text} instead={plain}>
      <Suspense fallback={plain}>
        <Blocks text={text} />
      </Suspense>
    </Plain>
  );
}

/** Shows the plain text if rendering fails. */
class Plain extends Component<
  { readonly children: ReactNode; readonly instead: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
