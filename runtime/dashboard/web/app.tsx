import { QueryClientProvider } from "@tanstack/react-query";
import { Route, Router, Switch } from "wouter";
import { newCache } from "./api/client/cache.js";
import { providerPath } from "./browser/address/address.js";
import { useGuardedLocation } from "./browser/address/leaving.js";
import { Boundary } from "./parts/page/page.js";
import { screen } from "./parts/page/screen.js";
import { SignIn } from "./sign-in/start.js";

const Link = screen(() => import("./sign-in/link.js"));
const ProviderReturn = screen(() => import("./sign-in/provider/return.js"));
const SecondStep = screen(() => import("./sign-in/second-step.js"));
const Register = screen(() => import("./sign-in/register/register.js"));
const Verify = screen(() => import("./sign-in/verify.js"));
const ChangeEmail = screen(() => import("./sign-in/change-email.js"));
const Forgot = screen(() => import("./sign-in/forgot.js"));
const Reset = screen(() => import("./sign-in/reset.js"));
const Authorize = screen(() => import("./sign-in/apps/authorize.js"));
const SignedIn = screen(() => import("./shell/signed-in.js"));

const client = newCache();

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Boundary>
        <Router hook={useGuardedLocation}>
          <Switch>
            <Route path="/sign-in" component={SignIn} />
            <Route path="/sign-in/link" component={Link} />
            <Route path={providerPath} component={ProviderReturn} />
            <Route path="/sign-in/second-step" component={SecondStep} />
            <Route path="/register" component={Register} />
            <Route path="/verify-email" component={Verify} />
            <Route path="/change-email" component={ChangeEmail} />
            <Route path="/forgot-password" component={Forgot} />
            <Route path="/reset-password" component={Reset} />
            <Route path="/oauth/authorize" component={Authorize} />
            <Route component={SignedIn} />
          </Switch>
        </Router>
      </Boundary>
    </QueryClientProvider>
  );
}
