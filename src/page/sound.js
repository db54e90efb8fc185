// sound.js: sounds, made here: frequencies one after the other, each for some seconds.
// Takes picture, clock and state; gives `sounds`.
const sounds = (() => {
  const SOUNDS = {
    move: [[440], 0.08], capture: [[330, 220], 0.08], end: [[523, 392, 330], 0.2], hurry: [[880, 880], 0.12],
  };
  let audio = null, asked = 0;

  async function hear(name) {
    if (!part("sound").checked) return;
    audio ??= new AudioContext();
    const mine = ++asked;
    // Of what a browser holds back until somebody acts, the last one alone is heard.
    if (audio.state !== "running") await audio.resume();
    if (mine !== asked) return;
    const [frequencies, length] = SOUNDS[name];
    frequencies.forEach((frequency, number) => {
      const [voice, volume] = [audio.createOscillator(), audio.createGain()];
      const begin = audio.currentTime + number * length;
      Object.assign(voice, { type: "triangle" }).frequency.value = frequency;
      volume.gain.setValueAtTime(0.25, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
      voice.connect(volume).connect(audio.destination);
      voice.start(begin);
      voice.stop(begin + length);
    });
  }

  // The position in which a person was told that ten seconds are left.
  let hurried = null;
  setInterval(() => {
    const { game } = state;
    if (!game?.clock?.side || hurried === game.tip || !state.humans.includes(game.clock.side)) return;
    if (clocks.left(game.clock, game.clock.side, clocks.now()) > 10000) return;
    hurried = game.tip;
    hear("hurry");
  }, 200);

  addEventListener("click", () => audio?.resume(), true);
  return { hear };
})();
