// SPDX-License-Identifier: Apache-2.0
// systemc: the network of docs/networks.md, written from that page alone, with a register after
// every stage. One process sends packets from the memories of the nodes and stores received packets
// in them.
//
//     ports ─► lanes 0 ─► stage 0 ─► lanes 1 ─► … ─► lanes S ─► ports
//       └────► row 0 ───► row 1 ─► …                  the row travels with its flits
#include "bench/peers/systemc.h"

#include <systemc>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <ostream>

using sc_core::sc_in;
using sc_core::sc_out;
using sc_core::sc_signal;

namespace
{

constexpr uint32_t valid = 0x80000000;

// --- the shape -----------------------------------------------------------------------------------

// Returns half of a block of lanes: the distance of the two lanes of a switch.
uint32_t half_of(const systemc_work &work, uint32_t stage)
{
    uint32_t levels = (work.stages + 1) / 2;
    return work.ports >> 1 >> std::min(stage, 2 * (levels - 1) - stage);
}

// Returns the upper lane of a switch.
uint32_t lane_of(uint32_t sw, uint32_t half)
{
    return sw / half * 2 * half + sw % half;
}

const uint32_t *row_of(const systemc_work &work, uint32_t stage, uint32_t row)
{
    return work.setting + (size_t{stage} * work.rows + row) * work.columns;
}

// --- the nodes -----------------------------------------------------------------------------------

// Executes the cycles of a run: flits leave in the first cycles of a row, and arrive one cycle per
// register later.
class Nodes
{
  public:
    explicit Nodes(const systemc_work &work) : work_(work)
    {
    }

    uint64_t last() const
    {
        return uint64_t{work_.rows} * work_.row_cycles;
    }

    // Receives before sending in a cycle, because a packet may be forwarded as soon as its last
    // flit has arrived.
    template <class In, class Out> uint32_t cycle(uint64_t now, const In &in, const Out &out)
    {
        uint32_t delay = work_.stages + 1;
        if (now >= delay)
            each(now - delay, work_.receive, [&](uint32_t node, uint32_t *word) {
                uint32_t come = in(node);
                if (come & valid)
                    *word = come;
            });
        for (uint32_t node = 0; node < work_.ports; node++)
            out(node, 0);
        each(now, work_.send, [&](uint32_t node, uint32_t *word) { out(node, *word); });
        return static_cast<uint32_t>(now / work_.row_cycles) % work_.rows;
    }

  private:
    // Visits every node whose program sends a packet in this cycle, with the word of the flit.
    template <class Visit>
    void each(uint64_t when, const uint32_t *program, const Visit &visit) const
    {
        uint32_t flit = static_cast<uint32_t>(when % work_.row_cycles);
        uint64_t row = when / work_.row_cycles;
        if (flit >= work_.flits || row >= work_.rows)
            return;
        for (uint32_t node = 0; node < work_.ports; node++) {
            uint32_t entry = program[size_t{node} * work_.rows + row];
            if (entry & valid)
                visit(node, work_.packet +
                                (size_t{node} * work_.slots + (entry & ~valid)) * work_.flits +
                                flit);
        }
    }

    const systemc_work &work_;
};

// --- a module for each switch --------------------------------------------------------------------

struct Switch : sc_core::sc_module {
    sc_in<bool> clock{"clock"};
    sc_in<uint32_t> row{"row"};
    sc_in<uint32_t> in0{"in0"}, in1{"in1"};
    sc_out<uint32_t> out0{"out0"}, out1{"out1"};

    SC_HAS_PROCESS(Switch);
    Switch(const sc_core::sc_module_name &name, const systemc_work &work, uint32_t stage,
           uint32_t sw)
        : sc_module(name), table_(row_of(work, stage, 0) + sw / 32), columns_(work.columns),
          bit_(sw % 32)
    {
        SC_METHOD(tick);
        sensitive << clock.pos();
        dont_initialize();
    }

    void tick()
    {
        bool crossed = table_[size_t{row.read()} * columns_] >> bit_ & 1;
        out0.write(crossed ? in1.read() : in0.read());
        out1.write(crossed ? in0.read() : in1.read());
    }

  private:
    const uint32_t *table_;
    uint32_t columns_, bit_;
};

// The register of the row, next to the switches of a stage.
struct Row : sc_core::sc_module {
    sc_in<bool> clock{"clock"};
    sc_in<uint32_t> in{"in"};
    sc_out<uint32_t> out{"out"};

    SC_HAS_PROCESS(Row);
    explicit Row(const sc_core::sc_module_name &name) : sc_module(name)
    {
        SC_METHOD(tick);
        sensitive << clock.pos();
        dont_initialize();
    }

    void tick()
    {
        out.write(in.read());
    }
};

// --- a module for each stage ---------------------------------------------------------------------

template <size_t N> struct Lanes : std::array<uint32_t, N> {
    Lanes() : std::array<uint32_t, N>{}
    {
    }
    friend std::ostream &operator<<(std::ostream &to, const Lanes &)
    {
        return to << N << " lanes";
    }
    friend void sc_trace(sc_core::sc_trace_file *, const Lanes &, const std::string &)
    {
    }
};

template <size_t N> struct Stage : sc_core::sc_module {
    sc_in<bool> clock{"clock"};
    sc_in<uint32_t> row{"row"};
    sc_in<Lanes<N>> in{"in"};
    sc_out<uint32_t> row_out{"row_out"};
    sc_out<Lanes<N>> out{"out"};

    SC_HAS_PROCESS(Stage);
    Stage(const sc_core::sc_module_name &name, const systemc_work &work, uint32_t stage)
        : sc_module(name), work_(work), stage_(stage), half_(half_of(work, stage))
    {
        SC_METHOD(tick);
        sensitive << clock.pos();
        dont_initialize();
    }

    void tick()
    {
        const Lanes<N> &before = in.read();
        const uint32_t *setting = row_of(work_, stage_, row.read());
        for (uint32_t sw = 0; sw < N / 2; sw++) {
            uint32_t low = lane_of(sw, half_), high = low + half_;
            uint32_t swap = (before[low] ^ before[high]) & -(setting[sw / 32] >> sw % 32 & 1);
            after_[low] = before[low] ^ swap;
            after_[high] = before[high] ^ swap;
        }
        out.write(after_);
        row_out.write(row.read());
    }

  private:
    const systemc_work &work_;
    uint32_t stage_, half_;
    Lanes<N> after_;
};

// --- the two models ------------------------------------------------------------------------------

// The common parts of both models: a clock, the nodes, the rows. The nodes pause the simulation
// when a run has ended.
struct Model : sc_core::sc_module {
    sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
    std::deque<sc_signal<uint32_t>> row;

    SC_HAS_PROCESS(Model);
    Model(const sc_core::sc_module_name &name, const systemc_work &work)
        : sc_module(name), row(work.stages + 1), work_(work), nodes_(work)
    {
        SC_METHOD(tick);
        sensitive << clock.posedge_event();
        dont_initialize();
    }

    uint64_t run()
    {
        now_ = 0;
        sc_core::sc_start();
        return nodes_.last();
    }

  protected:
    virtual uint32_t exchange(uint64_t now) = 0;

    const systemc_work &work_;
    Nodes nodes_;

  private:
    void tick()
    {
        row.front().write(exchange(now_));
        if (now_++ == nodes_.last())
            sc_core::sc_pause();
    }

    uint64_t now_ = 0;
};

struct Switches : Model {
    // lane[stages + 1][ports]
    std::deque<sc_signal<uint32_t>> lane;
    std::deque<Switch> switches;
    std::deque<Row> rows;

    explicit Switches(const systemc_work &work)
        : Model("switches", work), lane(size_t{work.stages + 1} * work.ports)
    {
        for (uint32_t stage = 0; stage < work.stages; stage++)
            add(stage);
    }

    uint32_t exchange(uint64_t now) override
    {
        return nodes_.cycle(
            now, [&](uint32_t node) { return at(work_.stages, node).read(); },
            [&](uint32_t node, uint32_t word) { at(0, node).write(word); });
    }

  private:
    sc_signal<uint32_t> &at(uint32_t stage, uint32_t node)
    {
        return lane[size_t{stage} * work_.ports + node];
    }

    void add(uint32_t stage)
    {
        uint32_t half = half_of(work_, stage);
        for (uint32_t sw = 0; sw < work_.ports / 2; sw++) {
            uint32_t low = lane_of(sw, half);
            Switch &box =
                switches.emplace_back(sc_core::sc_gen_unique_name("switch"), work_, stage, sw);
            box.clock(clock);
            box.row(row[stage]);
            box.in0(at(stage, low));
            box.in1(at(stage, low + half));
            box.out0(at(stage + 1, low));
            box.out1(at(stage + 1, low + half));
        }
        Row &after = rows.emplace_back(sc_core::sc_gen_unique_name("row"));
        after.clock(clock);
        after.in(row[stage]);
        after.out(row[stage + 1]);
    }
};

template <size_t N> struct Stages : Model {
    std::deque<sc_signal<Lanes<N>>> lane;
    std::deque<Stage<N>> stages;

    explicit Stages(const systemc_work &work) : Model("stages", work), lane(work.stages + 1)
    {
        for (uint32_t stage = 0; stage < work.stages; stage++) {
            Stage<N> &box = stages.emplace_back(sc_core::sc_gen_unique_name("stage"), work, stage);
            box.clock(clock);
            box.row(row[stage]);
            box.row_out(row[stage + 1]);
            box.in(lane[stage]);
            box.out(lane[stage + 1]);
        }
    }

    uint32_t exchange(uint64_t now) override
    {
        const Lanes<N> &come = lane.back().read();
        uint32_t row_now = nodes_.cycle(
            now, [&](uint32_t node) { return come[node]; },
            [&](uint32_t node, uint32_t word) { sent_[node] = word; });
        lane.front().write(sent_);
        return row_now;
    }

  private:
    Lanes<N> sent_;
};

std::unique_ptr<Model> model;

} // namespace

bool systemc_build(const systemc_work *work, systemc_form form)
{
    if (form == SYSTEMC_SWITCHES)
        model = std::make_unique<Switches>(*work);
    else if (work->ports == 8)
        model = std::make_unique<Stages<8>>(*work);
    else if (work->ports == 64)
        model = std::make_unique<Stages<64>>(*work);
    else if (work->ports == 256)
        model = std::make_unique<Stages<256>>(*work);
    return model != nullptr;
}

uint64_t systemc_run(void)
{
    return model->run();
}

int sc_main(int argc, char **argv)
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    return network_main(argc, argv);
}
