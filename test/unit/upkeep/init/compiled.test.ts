import { expect, test } from "vitest";
import { readBack, survey } from "../../../rig/init-survey.ts";

test("Modules of Go are vendored, because rooms cannot write the module cache; a project without any needs no set-up.", () => {
  const needy = readBack(survey({ "go.mod": "module x\n\nrequire a.example/b v1.0.0\n", "go.sum": "" }));
  expect(needy).toMatchObject({
    setup: 'GOMODCACHE="$HOME/modules" go mod vendor',
    inputs: ["go.mod", "go.sum"],
    checks: ["go vet ./...", "go test ./..."],
  });
  expect(readBack(survey({ "go.mod": "module x\n" })).setup).toBeNull();
});

test("Crates lie in the checkout; clippy and rustfmt are checks where the project is set up for them.", () => {
  const manifest = '[package]\nname = "x"\n[dependencies]\nitoa = "1"\n';
  const plain = readBack(survey({ "Cargo.toml": manifest, "Cargo.lock": "" }));
  expect(plain).toMatchObject({
    setup: "CARGO_HOME=.cargo-home cargo fetch --locked",
    inputs: ["Cargo.toml", "Cargo.lock"],
    checks: ["CARGO_HOME=.cargo-home cargo test"],
  });
  const strict = survey({ "Cargo.toml": manifest, "Cargo.lock": "", "rustfmt.toml": "", "clippy.toml": "" });
  expect(readBack(strict).checks).toEqual([
    "cargo fmt --check",
    "CARGO_HOME=.cargo-home cargo clippy --all-targets -- -D warnings",
    "CARGO_HOME=.cargo-home cargo test",
  ]);
});
