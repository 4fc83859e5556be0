// Argument: the callback. Afterwards `window.keyPainted()` gives the time from the last key to the paint that shows it.
const [done] = arguments;
let painted = Promise.resolve(0);
window.addEventListener(
  "keydown",
  (event) => {
    const pressed = event.timeStamp;
    painted = new Promise((resolve) => {
      requestAnimationFrame(() => {
        // A message is handled after the frame was painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(Math.round(performance.now() - pressed));
        port2.postMessage(null);
      });
    });
  },
  { capture: true },
);
window.keyPainted = () => painted;
done(null);
