// For NODE_OPTIONS=--require: writes to the file that CONNECTIONS_LOG names what a process, and every Node process
// that it starts, connects to ("connect HOST") and starts ("start PID").
const { appendFileSync } = require('node:fs');
const { ChildProcess } = require('node:child_process');
const { Socket } = require('node:net');

const tell = (what, whom) => appendFileSync(process.env.CONNECTIONS_LOG, `${what} ${whom}\n`);

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  tell('connect', options?.host ?? options?.path ?? options);
  return connect.apply(this, given);
};

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (...given) {
  const failed = spawn.apply(this, given);
  if (this.pid !== undefined) tell('start', this.pid);
  return failed;
};
