import net from "node:net";

/** The end of a pipe at which a child's output is read. */
export interface OutputPipe {
  /** Passes on every chunk; its bytes are overwritten as soon as `hear` returns. */
  readonly listen: (hear: (chunk: Buffer) => void) => void;
  /** Resolves when no process can write any more, or at `close`. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

/** Reads into one buffer: a new one for each chunk would fill the memory in a flood before it is collected. */
export function openOutputPipe(fd: number): OutputPipe {
  let hear: ((chunk: Buffer) => void) | undefined;
  const buffer = Buffer.alloc(65_536);
  const callback = (length: number): boolean => {
    hear?.(buffer.subarray(0, length));
    return true;
  };
  const options: net.SocketConstructorOpts & Pick<net.TcpSocketConnectOpts, "onread"> = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer, callback },
  };
  const socket = new net.Socket(options);
  const ended = new Promise<void>((resolve) => {
    socket.once("end", resolve);
    socket.once("close", resolve);
  });
  // A pipe that cannot be read has ended; the exit shows how the child ended.
  socket.on("error", () => undefined);
  return {
    listen: (listener) => {
      hear = listener;
    },
    ended,
    close: () => {
      hear = undefined;
      socket.destroy();
    },
  };
}
