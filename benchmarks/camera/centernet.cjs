// Runs the CenterNet of npm's @vladmandic/human over square tiles; used by centernet.py.
// node centernet.cjs TILES OUT, where TILES are tiles of 512x512 pixels, three bytes each, one after
// the other, and OUT becomes a list for each tile of [left, top, right, bottom, score, class].
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const SIDE = 512;
const from = createRequire(path.join(process.cwd(), "package.json"));
const tf = from("@tensorflow/tfjs-core");
const converter = from("@tensorflow/tfjs-converter");
const wasm = from("@tensorflow/tfjs-backend-wasm");

async function network() {
  wasm.setWasmPaths(path.join(path.dirname(from.resolve("@tensorflow/tfjs-backend-wasm")), "/"));
  await tf.setBackend("wasm");
  const models = path.join(process.cwd(), "node_modules", "@vladmandic", "human", "models");
  const graph = JSON.parse(fs.readFileSync(path.join(models, "centernet.json")));
  const weights = fs.readFileSync(path.join(models, "centernet.bin"));
  return converter.loadGraphModel({
    load: async () => ({
      modelTopology: graph.modelTopology,
      signature: graph.signature,
      weightSpecs: graph.weightsManifest[0].weights,
      weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.length),
    }),
  });
}

async function main(tiles, out) {
  const model = await network();
  const bytes = fs.readFileSync(tiles);
  const found = [];
  for (let start = 0; start < bytes.length; start += SIDE * SIDE * 3) {
    const pixels = Float32Array.from(bytes.subarray(start, start + SIDE * SIDE * 3));
    const image = tf.tensor4d(pixels, [1, SIDE, SIDE, 3]);
    const boxes = model.execute(image, ["tower_0/detections"]);
    found.push((await boxes.array())[0]);
    tf.dispose([image, boxes]);
  }
  fs.writeFileSync(out, JSON.stringify(found));
}

main(process.argv[2], process.argv[3]);
