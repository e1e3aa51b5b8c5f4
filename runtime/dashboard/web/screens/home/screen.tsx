import { useSession } from "../../api/account/session.js";
import { may } from "../../api/records/descriptors.js";
import { periods, usualPeriod } from "../../api/records/numbers.js";
import { Period, usePeriod } from "../../parts/chart/period.js";
import { Title } from "../../parts/page/page.js";
import { enHome } from "../../text/en/home/home.js";
import "./screen.css";
import { Numbers } from "./tiles.js";

const text = enHome;

export default function Home() {
  const { user, resources } = useSession();
  const [days, setDays] = usePeriod(periods, usualPeriod);
  const hasNumbers = resources.some((one) => may(one, "stats"));
  return (
    <>
      <div className="top">
        <Title>{text.hello(user.name)}</Title>
        {hasNumbers ? <Period periods={periods} value={days} onChange={setDays} /> : null}
      </div>
      <div className="content">
        <Numbers days={days} />
      </div>
    </>
  );
}
