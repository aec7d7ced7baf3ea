/** The page comes to life. */

import { startCards } from "./cards.js";
import { Player } from "./player.js";
import { startTheme } from "../theme.js";

export const data = JSON.parse(document.getElementById("data").textContent);
const player = new Player(data);

startCards(data, (number) => {
  player.open(number);
  player.focus();
  player.play();
});
startTheme(() => player.refresh());
