import { userInfo } from "node:os";

/** The user who runs this process. */
export interface SystemUser {
  readonly name: string;
  readonly home: string | undefined;
}

/** Returns the user of this process; in a container it is often a number without an entry. */
export function systemUser(): SystemUser {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir };
  } catch {
    return { name: `user ${process.getuid?.() ?? "unknown"}`, home: undefined };
  }
}
