import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { may } from "../../api/records/descriptors.js";
import { periods, usualPeriod } from "../../api/records/numbers.js";
import { Icon } from "../../parts/button/icon.js";
import { Period, usePeriod } from "../../parts/chart/period.js";
import { Title } from "../../parts/page/page.js";
import { en } from "../../text/en/en.js";
import { FeaturedResource } from "./featured-resource.js";
import "./screen.css";
import { Tile } from "./tile.js";

const text = en.home;

export default function Home() {
  const { user, resources } = useSession();
  const [days, setDays] = usePeriod(periods, usualPeriod);
  const shown = resources.filter((one) => may(one, "list") || may(one, "stats"));
  return (
    <>
      <div className="top">
        <Title>{text.hello(user.name)}</Title>
        {shown.length === 0 ? null : <Period periods={periods} value={days} onChange={setDays} />}
      </div>
      <div className="content">
        <section className="stack near" aria-labelledby="resources">
          <h2 className="hidden" id="resources">
            {text.resources}
          </h2>
          {shown.length === 0 ? <p className="muted">{text.none}</p> : null}
          <ul className="tiles">
            {shown.map((resource) => (
              <li key={resource.name}>
                <Tile resource={resource} days={days} />
              </li>
            ))}
            <li>
              <Link className="card tile" href="/account/profile">
                <span className="row muted small">
                  <Icon name="person" />
                  <span className="cut">{text.account}</span>
                </span>
                <span className="small muted">{text.accountText}</span>
              </Link>
            </li>
          </ul>
        </section>
        <FeaturedResource days={days} />
      </div>
    </>
  );
}
