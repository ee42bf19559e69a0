// PageWord.swift: every text of a page about a run, in every language.
//
// Names of UIKit's classes, methods and states are not translated, and neither are facts.
//
// Input     RunPage; Components, which read the words of the page's language
// Output    text
//
// Sources   invented

/// A text of the page.
package enum PageWord: String, CaseIterable, Sendable, TranslatedWord {
    case title, simulated, live, duration, fingers, facts, processes, interactions
    case screen, play, pause, previous, next, speed, moment, keys
    case explanation, nothingHappened, because, effect, noEffect, steps, told, passedOver, recognizers, chain, down,
        stillDown
    case timeline, zoomIn, zoomOut, zoomFit, lanesFingers, lanesRecognizers, lanesHolds, lanesTurns, lanesStations, ways
    case latency, virtualTimes, noTimes, histogram, overTime, hopInputKit, hopToServer, hopServer, hopToApp, hopApp,
        whole
    case factsTable, filter, ofFacts, time, process, station, fact, all
    case positionsHidden, gaps, cut, cutRow, positionUnknown, hitPath, noScreen, noScript, until, touches, discarded
    case displayFrame, turn, turnTakes, heldUntil, secure

    package var words: (String, String, String) {
        switch self {
        case .title: ("Run report", "実行レポート", "运行报告")
        case .simulated:
            ("played in the simulator, on a virtual clock", "シミュレーターでの再生(仮想時計)", "在模拟器中播放(虚拟时钟)")
        case .live: ("journals of a live group, real times", "実グループのジャーナル(実時間)", "实际进程组的日志(真实时间)")
        case .duration: ("duration", "長さ", "时长")
        case .fingers: ("fingers", "指", "手指")
        case .facts: ("facts", "事実", "事实")
        case .processes: ("processes", "プロセス", "进程")
        case .interactions: ("interactions", "操作", "交互")
        case .screen: ("Screen", "画面", "屏幕")
        case .play: ("Play", "再生", "播放")
        case .pause: ("Pause", "一時停止", "暂停")
        case .previous: ("Previous event", "前のイベント", "上一个事件")
        case .next: ("Next event", "次のイベント", "下一个事件")
        case .speed: ("Speed", "速度", "速度")
        case .moment: ("Moment", "時刻", "时刻")
        case .keys:
            (
                "Space plays, ← and → go to the next event, + and − zoom, Home and End go to the ends.",
                "スペースで再生、←→で前後のイベント、+−で拡大縮小、Home と End で両端へ。",
                "空格播放,←→ 跳到前后事件,+− 缩放,Home 和 End 跳到两端。"
            )
        case .explanation: ("What happened, and why", "何が起き、なぜか", "发生了什么,为什么")
        case .nothingHappened: ("No finger landed and no key went down.", "指もキーも触れていない。", "没有手指触下,也没有按键。")
        case .because: ("Cause", "原因", "原因")
        case .effect: ("acted", "動作した", "有动作")
        case .noEffect: ("no effect", "効果なし", "无动作")
        case .steps: ("Steps", "手順", "步骤")
        case .told: ("Told", "伝達先", "已通知")
        case .passedOver: ("Passed over", "対象外", "被跳过")
        case .recognizers: ("Recognizers", "認識器", "识别器")
        case .chain: ("Responder chain", "レスポンダーチェーン", "响应者链")
        case .down: ("down for {0}", "接触時間 {0}", "按下 {0}")
        case .stillDown: ("still down", "触れたまま", "仍按下")
        case .timeline: ("Timeline", "タイムライン", "时间线")
        case .zoomIn: ("Zoom in", "拡大", "放大")
        case .zoomOut: ("Zoom out", "縮小", "缩小")
        case .zoomFit: ("Whole run", "全体", "全部")
        case .lanesFingers: ("Fingers", "指", "手指")
        case .lanesRecognizers: ("Recognizers", "認識器", "识别器")
        case .lanesHolds: ("Held back", "保留", "被扣留")
        case .lanesTurns: ("Run-loop turns", "ランループの周回", "运行循环")
        case .lanesStations: ("Stations", "通過点", "站点")
        case .ways: ("way of the events", "イベントの経路", "事件的路径")
        case .latency: ("Latency", "遅延", "延迟")
        case .virtualTimes:
            (
                "This run was played on a virtual clock: no step takes time, so there is no latency to show. Replay the journals of a live group to see its latencies.",
                "この実行は仮想時計で再生された。どの手順も時間がかからないため、遅延はない。実グループのジャーナルを使うと遅延が見える。",
                "本次运行使用虚拟时钟:任何步骤都不耗时,因此没有延迟可显示。请使用实际进程组的日志查看延迟。"
            )
        case .noTimes:
            ("No scan of this run has a complete ledger.", "完全な時刻表を持つ走査がない。", "本次运行没有带完整时间记录的扫描。")
        case .histogram: ("How often", "頻度", "频次")
        case .overTime: ("Over time", "時間推移", "随时间")
        case .hopInputKit: ("input-kit", "input-kit", "input-kit")
        case .hopToServer: ("link to system-server", "system-server への接続", "到 system-server 的连接")
        case .hopServer: ("system-server", "system-server", "system-server")
        case .hopToApp: ("link to the app", "アプリへの接続", "到应用的连接")
        case .hopApp: ("app", "アプリ", "应用")
        case .whole: ("device to handled", "デバイスから処理完了まで", "从设备到处理完成")
        case .factsTable: ("Facts", "事実", "事实")
        case .filter: ("Filter", "絞り込み", "筛选")
        case .ofFacts: ("{0} of {1}", "{1} 件中 {0} 件", "{1} 中的 {0}")
        case .time: ("time", "時刻", "时间")
        case .process: ("process", "プロセス", "进程")
        case .station: ("station", "通過点", "站点")
        case .fact: ("fact", "事実", "事实")
        case .all: ("all", "すべて", "全部")
        case .positionsHidden:
            (
                "A window of this run is secure: the page contains no positions.",
                "この実行には保護されたウインドウがあるため、位置は含まれない。",
                "本次运行有安全窗口:页面不含任何位置。"
            )
        case .gaps: ("The run is incomplete", "実行は不完全", "运行不完整")
        case .cut: ("This page is cut", "このページは省略されている", "此页面有省略")
        case .cutRow: ("{0}: {1} of {2}", "{0}: {2} 件中 {1} 件", "{0}:{2} 中的 {1}")
        case .positionUnknown: ("position hidden", "位置は非表示", "位置已隐藏")
        case .hitPath: ("hit path", "ヒットの経路", "命中路径")
        case .noScreen: ("No app shows anything", "表示中のアプリなし", "没有应用显示内容")
        case .noScript:
            (
                "This page draws the run with its own script. `touchline explain` prints the same explanation as text.",
                "このページは自身のスクリプトで描画する。同じ説明は `touchline explain` が文字で出力する。",
                "此页面用自带脚本绘制。`touchline explain` 以文本输出同样的说明。"
            )
        case .until: ("until {0}", "{0} まで", "直到 {0}")
        case .touches: ("touch {0}", "タッチ {0}", "触摸 {0}")
        case .discarded: ("discarded", "破棄", "被丢弃")
        case .displayFrame: ("{0} scans wait for the display frame", "{0} 走査が表示フレームを待つ", "{0} 次扫描等待显示帧")
        case .turn: ("{0} facts: {1}", "{0} 件: {1}", "{0} 条:{1}")
        case .secure: ("secure", "保護", "安全")
        case .turnTakes: ("takes {0}", "{0} かかる", "耗时 {0}")
        case .heldUntil: ("kept from its view for {0}", "ビューに渡らず {0}", "被扣留 {0}")
        }
    }
}
