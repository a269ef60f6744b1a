/** Whether the usual test runners, build tools and linters read here what a command such as `npm test` or `make check` does. */
export function definesCommands(path: string): boolean {
  return definitions.test(path);
}

const definitions = new RegExp(
  `(?:^|/)(?:${[
    "(?:package|composer|lerna|nx|turbo|biome|\\.?oxlintrc)\\.jsonc?|deno\\.jsonc?|pnpm-workspace\\.yaml|\\.?pnpmfile\\.[cm]?js|\\.npmrc|\\.yarnrc(?:\\.yml)?",
    "[^/]*\\.config\\.[cm]?[jt]s|[tj]sconfig[^/]*\\.json|\\.(?:babel|eslint|swc|prettier)rc[^/]*",
    "(?:gnu)?makefile|[^/]*\\.mk|\\.?justfile|taskfile\\.ya?ml|rakefile|gemfile|cmakelists\\.txt|meson\\.build|build(?:\\.bazel)?",
    "\\.?ruff\\.toml|\\.?mypy\\.ini|\\.flake8|pyrightconfig\\.json|[^/]*\\.rake",
    "pyproject\\.toml|setup\\.py|cargo\\.toml|\\.cargo/config(?:\\.toml)?|build\\.rs|rust-toolchain(?:\\.toml)?|go\\.(?:mod|work)|mix\\.exs|pom\\.xml",
    "[^/]*\\.gradle(?:\\.kts)?|gradlew|mvnw|\\.mvn/(?:wrapper/)?[^/]+|gradle/wrapper/[^/]+|gradle\\.properties|[^/]*\\.(?:cs|fs|vb)proj|directory\\.build\\.[^/]*",
  ].join("|")})$`,
  "i",
);
