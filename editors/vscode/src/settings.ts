// The settings, read where they are used, so that a change needs no restart. A value that cannot be one is told apart from all
// else that can fail, and by the name of its setting.

import * as vscode from "vscode";
import { Failure } from "./failure";

export const devices = ["auto", "gpu", "sim", "emulate"] as const;
export type DeviceChoice = (typeof devices)[number];

export interface RunSettings {
  device: DeviceChoice;
  seconds: number;
  compare: boolean;
}

/** Throws a Failure of the configuration. */
export function run_settings(about: vscode.ConfigurationScope | undefined): RunSettings {
  const settings = vscode.workspace.getConfiguration("phobos", about);
  const device = settings.get<unknown>("run.device", "auto");
  const seconds = settings.get<unknown>("run.timeout", 60);
  const found = devices.find((choice) => choice === device);
  if (found === undefined) throw wrong("phobos.run.device", device, `one of ${devices.join(", ")}`);
  if (typeof seconds !== "number" || !(seconds >= 0)) throw wrong("phobos.run.timeout", seconds, "a number of seconds, or 0");
  return { device: found, seconds, compare: settings.get<unknown>("run.compareWithSimulator", false) === true };
}

export type Shade = "off" | "bar" | "background" | "both";

export function shade_setting(): Shade {
  const shade = vscode.workspace.getConfiguration("phobos").get<unknown>("kinds.shade", "off");
  return shade === "bar" || shade === "background" || shade === "both" ? shade : "off";
}

function wrong(setting: string, value: unknown, right: string): Failure {
  const message = `The setting \`${setting}\` is ${JSON.stringify(value)}; it has to be ${right}.`;
  return new Failure("configuration", message, ["Open Setting"], setting);
}
