import { Link } from "wouter";
import { Title } from "../../parts/page/page.js";
import { en } from "../../text/en/en.js";

const text = en.missing;

export default function Missing() {
  return (
    <>
      <div className="top">
        <Title>{text.title}</Title>
      </div>
      <div className="content">
        <p className="muted">{text.text}</p>
        <p>
          <Link href="/">{text.home}</Link>
        </p>
      </div>
    </>
  );
}
