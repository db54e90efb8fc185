// Opens a dialogue with the engine in a compiled module of WebAssembly. Returns a function that
// sends one line: it calls `said` with each line of the answer and returns when there are no more,
// false if the dialogue has ended.
//
// The engine sees of WASI (preview 1) what a dialogue needs: standard input and output, clocks and
// random numbers. There are no files.
async function openQuadrille(module, said) {
    const SUCCESS = 0, BAD_FILE = 8, NO_ENTRY = 44;
    const encoder = new TextEncoder();
    const written = { 1: "", 2: "" };
    const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
    let unread = new Uint8Array();
    let memory;
    const view = () => new DataView(memory.buffer);
    const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);

    // The pieces of memory that a list of `count` addresses and lengths describes.
    const pieces = (list, count) =>
        Array.from({ length: count }, (_, index) => {
            const at = list + 8 * index;
            return bytes(view().getUint32(at, true), view().getUint32(at + 4, true));
        });

    const system = {
        fd_read(fd, list, count, size) {
            if (fd !== 0) return BAD_FILE;
            let read = 0;
            for (const piece of pieces(list, count)) {
                const part = unread.subarray(0, piece.length);
                piece.set(part);
                unread = unread.subarray(part.length);
                read += part.length;
            }
            view().setUint32(size, read, true);
            return SUCCESS;
        },
        fd_write(fd, list, count, size) {
            if (!(fd in written)) return BAD_FILE;
            let total = 0;
            for (const piece of pieces(list, count)) {
                written[fd] += decoders[fd].decode(piece, { stream: true });
                total += piece.length;
            }
            const lines = written[fd].split("\n");
            written[fd] = lines.pop();
            lines.forEach(fd === 1 ? said : (line) => console.error(line));
            view().setUint32(size, total, true);
            return SUCCESS;
        },
        clock_time_get(clock, precision, time) {
            const millis = clock === 0 ? Date.now() : performance.now();
            view().setBigUint64(time, BigInt(Math.round(millis * 1e6)), true);
            return SUCCESS;
        },
        random_get(at, length) {
            crypto.getRandomValues(bytes(at, length));
            return SUCCESS;
        },
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return SUCCESS;
        },
        environ_get: () => SUCCESS,
        sched_yield: () => SUCCESS,
        path_open: () => NO_ENTRY,
        path_filestat_get: () => NO_ENTRY,
        proc_exit(status) {
            throw new Error(`the engine has ended with status ${status}`);
        },
    };
    // Nothing else is there.
    const imports = {};
    for (const { name } of WebAssembly.Module.imports(module)) {
        imports[name] = system[name] ?? (() => BAD_FILE);
    }
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
    memory = instance.exports.memory;
    return (line) => {
        unread = encoder.encode(`${line}\n`);
        return instance.exports.line() !== 0;
    };
}
