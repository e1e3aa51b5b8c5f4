import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { listPath, may, thing } from "../../api/records/descriptors.js";
import { usedResources } from "../../browser/storage/recent.js";
import { Icon } from "../../parts/button/icon.js";
import { ResourceIcon } from "../../parts/button/resource-icon.js";
import { enBegin } from "../../text/en/home/begin.js";
import { ranked } from "./ranking.js";

const text = enBegin;

/** Maximum number of resources to start with. */
const most = 5;

/** First steps if there are no numbers to show yet: creating records or opening lists. */
export default function Begin() {
  const { user, resources } = useSession();
  const own = ranked(resources, usedResources(user.id));
  const made = own.filter((one) => may(one, "create")).slice(0, most);
  const read = own.filter((one) => may(one, "list")).slice(0, most);
  if (read.length === 0 && made.length === 0) return <p className="muted">{text.none}</p>;
  return (
    <section className="stack near" aria-labelledby="begin">
      <h2 id="begin">{made.length > 0 ? text.begin : text.lists}</h2>
      <p className="row wrap">
        {made.length > 0
          ? made.map((resource) => (
              <Link key={resource.name} className="button" href={`${listPath(resource)}/new`}>
                <Icon name="plus" />
                {text.new(thing(resource))}
              </Link>
            ))
          : read.map((resource) => (
              <Link key={resource.name} className="button" href={listPath(resource)}>
                <ResourceIcon name={resource.icon} />
                <bdi>{resource.label}</bdi>
              </Link>
            ))}
      </p>
    </section>
  );
}
