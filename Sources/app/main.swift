// main.swift: the process of an app that shows a scene or a sample app.
//
// Station   inbox → action
// Input     a launch order from the supervisor, or options of a person
// Output    AppProgram, with the content that the settings choose
//
// Sources   invented

import Foundation
import Scenarios
import TouchlineApp
import ZeroMQHost

let program = AppProgram(
    "app", abstract: "Shows a scene or a sample app, and delivers the touches that the system server sends to it.",
    discussion: """
        `touchline up` starts this program. For debugging, `app --run-dir DIR --scene Config/Scenes/T0.yaml` connects \
        to the `system-server` that was started with the same folder.

        On another machine than the server: `app --join house.lan:7000 --key app9.key --server-key server.pub \
        --scene FILE`, with keys from `touchline keys new`. The server knows the number of the app by its key. The \
        app connects again after the link was lost, and looks up the name again.

        Exits 0 when its supervisor or a signal ends it, 2 when an option or a file cannot be used, 3 when the server \
        does not accept its key or the machine refuses a resource.
        """,
    contentOptions: [
        (ProgramOption("scene", "file", "The scene or scenario to show without a supervisor."), "app.scene"),
        (ProgramOption("app", "name", "The sample app to run without a supervisor."), "app.sample"),
    ])

exit(program.run { try chosenContent($0) })
