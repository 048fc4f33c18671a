// Where a view opens: beside the text, in the place of another view where one is looked at.

import * as vscode from "vscode";

export function column_of_views(): vscode.ViewColumn {
  const group = vscode.window.tabGroups.activeTabGroup;
  const input = group.activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.includes("phobos.") ? group.viewColumn : vscode.ViewColumn.Beside;
}
